// Calls the player: a short sound, and a vibration where phones have one.
// Browsers play sounds only after a first touch of the page.

let audio = null;

addEventListener("pointerdown", () => {
  audio ??= new AudioContext();
  audio.resume();
});

export function callPlayer() {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 80, 120]);
  if (audio === null) return;
  [660, 880].forEach((frequency, index) => {
    const start = audio.currentTime + index * 0.16;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.2, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.32);
  });
}
