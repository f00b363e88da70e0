/** A pointer that only passes over a link, or focus on its way to another, asks for nothing. */
const intentAfterMs = 60

// There is one pointer and one focus, so at most one link is about to be followed.
let expected: ReturnType<typeof setTimeout> | undefined

/** Prepares for a link that a person rests on, unless `forgetIntent` comes first. */
export function expectIntent(prepare: () => void): void {
  forgetIntent()
  expected = setTimeout(prepare, intentAfterMs)
}

export function forgetIntent(): void {
  clearTimeout(expected)
}
