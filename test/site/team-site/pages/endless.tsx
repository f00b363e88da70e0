/** Never comes to an end. */
export default function Endless() {
  for (let count = 0; ; count++) if (count < 0) return null
}
