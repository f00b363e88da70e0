import { Variant, VisitProvider } from '#visits/Provider'
import { Decided } from './Decided'

/** Parts of a page that ask for decisions: on the server, and again in the browser. */
export default function Page() {
  return (
    <VisitProvider>
      <main>
        <Variant of="headline" is="b">
          <h1>The other headline</h1>
        </Variant>
        <Variant of="headline" is="a">
          <h1>The headline</h1>
        </Variant>
        <Decided />
      </main>
    </VisitProvider>
  )
}
