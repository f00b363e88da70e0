import type { Decision } from '../flags/decision'

/** How a decision is told on some wire. */
type Telling<Words> = (decision: Decision, environment: string) => Words

/**
 * A flag says the same few things to all visitors, and each of them is one object for everybody: it is put into words
 * once, and told again each time. The words are forgotten together with it, after the next change of the flag.
 */
export function saidOnce<Words extends {}>(inWords: Telling<Words>): Telling<Words> {
  const said = new WeakMap<Decision, Words>()
  return (decision, environment) => {
    const known = said.get(decision)
    if (known !== undefined) return known
    const words = inWords(decision, environment)
    said.set(decision, words)
    return words
  }
}
