import { variantBucketOf } from '#flags/bucket'
import type { Trial } from '#posts/post'

/** The fields of a trial that a visit needs. */
export type VisitTrial = Pick<Trial, 'key'> & { variants: readonly { key: string }[] }

/** Returns the visitor's variant. Variants have equal shares and are assigned by hash as those of flags are. */
export function variantFor({ key, variants }: VisitTrial, visitor: string): string | undefined {
  const place = Math.floor(variantBucketOf(key, visitor) * variants.length)
  return variants.at(Math.min(place, variants.length - 1))?.key
}
