import { variantBucketOf } from '../flags/bucket'
import type { Trial } from '../posts/post'

/** What a visit has to know of a trial. */
export type Tried = Pick<Trial, 'key'> & { variants: readonly { key: string }[] }

/** Each variant has the same share, drawn as those of flags are: a visitor always gets the same one. */
export function variantFor({ key, variants }: Tried, visitor: string): string | undefined {
  const place = Math.floor(variantBucketOf(key, visitor) * variants.length)
  return variants.at(Math.min(place, variants.length - 1))?.key
}
