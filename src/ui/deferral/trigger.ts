import {
  type AriaAttributes,
  Children,
  cloneElement,
  type DOMAttributes,
  isValidElement,
  type ReactElement,
  type Ref,
} from 'react'

type Handler = (event: never) => void
type Props = Record<string, unknown> & { ref?: Ref<HTMLElement> }

type AddedProps = AriaAttributes & DOMAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }

/** An element with further props: its own handlers run first, then those that are added. */
export function Extended({ element, ...added }: AddedProps & { element: ReactElement }): ReactElement {
  const known = resolved(element)
  // the component alone knows the props that an element was given
  const own = known.props as Props
  const merged = Object.fromEntries(
    Object.entries(added).map(([name, value]) => [
      name,
      name === 'ref' ? bothRefs(own.ref, added.ref) : mergedProp(own[name], value),
    ]),
  )
  return cloneElement(known, merged)
}

/**
 * A server component hands an element over as a lazy node, which has no props before React's `Children` resolves it
 * (github.com/facebook/react/issues/32392).
 */
function resolved(element: ReactElement): ReactElement {
  if (isValidElement(element)) return element
  const [first] = Children.toArray(element)
  if (!isValidElement(first)) throw new Error('Only one element can be given further props.')
  return first
}

function mergedProp(own: unknown, added: unknown): unknown {
  if (typeof own !== 'function' || typeof added !== 'function') return added ?? own
  return (event: never) => {
    // both are handlers of the same event
    ;(own as Handler)(event)
    ;(added as Handler)(event)
  }
}

function bothRefs(
  one: Ref<HTMLElement> | undefined,
  other: Ref<HTMLElement> | undefined,
): Ref<HTMLElement> | undefined {
  if (!one || !other) return one ?? other
  return (element: HTMLElement | null) => {
    const undo = [one, other].map((ref) => assign(ref, element))
    return () => undo.forEach((each) => each())
  }
}

function assign(ref: Ref<HTMLElement>, element: HTMLElement | null): () => void {
  if (typeof ref === 'function') {
    const undo = ref(element)
    return typeof undo === 'function' ? undo : () => ref(null)
  }
  if (ref) ref.current = element
  return () => {
    if (ref) ref.current = null
  }
}
