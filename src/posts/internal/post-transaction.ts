import type { Outcome } from '#projects/problems'
import type { Store, StoreTransaction } from '#store/store'
import type { Published } from '../published/published'

interface Dependencies {
  store: Store
  published: Pick<Published, 'caughtUp'>
}

/**
 * Runs changes one at a time, so that what one reads is still true when it writes. Resolves once this process shows
 * the change, because its author looks at the result next.
 */
export async function withPostTransaction<Done>(
  { store, published }: Dependencies,
  work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
): Promise<Outcome<Done>> {
  const outcome = await store.transaction(work)
  if (outcome.done) await published.caughtUp()
  return outcome
}
