"""Twelve people in each language whose names are as long as names may be."""

from companion.languages import languages

PEOPLE = {
    "en": ("Anna-Katharina Mayer", "Maximilian Hohenfels", "Bartholomew Prescott", "Konstantinos Vassili",
           "Wilhelmina Schneider", "Papadimitrakopoulosa", "Christopher Williams", "Giovanni Sebastianis",
           "Emmanuelle Rousseaux", "Alexandra Montgomery", "Wolfgang Wunderlichs", "Josephine Kowalewski"),
    "ja": ("マクシミリアン・フォン・ハプスブルク家康", "寿限無寿限無五劫の擦り切れ海砂利水魚の水",
           "アレクサンドラ・モンゴメリー・スミス夫人", "ゴットフリート・ヴィルヘルム・ライプニツ",
           "はるかぜのふくおかのうえのちいさないえで", "ジョセフィーヌ・ド・ボアルネ・ナポレオン",
           "ウルフガング・アマデウス・モーツァルト様", "クリストファー・コロンブス・ジュニア船長",
           "エマニュエル・ルソー・ド・ラ・トゥールズ", "バーソロミュー・プレスコット・ジュニア卿",
           "イアン・マクドナルド・アンダーソン三世様", "カタリーナ・フォン・ボラ・ルターさんの母"),
}  # fmt: skip  # a table
PEOPLE |= {code: PEOPLE["en"] for code in languages() if code not in PEOPLE}
