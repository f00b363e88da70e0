/** A page without anything interactive. */
export default function Quiet() {
  return (
    <main id="content">
      <h1>Quiet</h1>
    </main>
  )
}
