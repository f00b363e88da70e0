import { bucketOf, isWithinShare, placeAmong, variantBucketOf } from '../bucket'
import type { CompiledFlag } from '../compile'
import { withoutVariant } from './interned-decisions'

/** The buckets of one visitor for one flag, computed on first use: hashing is most of the cost of a decision. */
export class Bucketing {
  private bucket: number | undefined
  private variantIndex: number | undefined

  constructor(
    private readonly flag: Pick<CompiledFlag, 'flag' | 'shares'>,
    private readonly id: string,
  ) {}

  isIn(percentage: number): boolean {
    if (percentage === 100) return true
    if (percentage === 0) return false
    this.bucket ??= bucketOf(this.flag.flag.key, this.id)
    return isWithinShare(this.bucket, percentage)
  }

  get variant(): number {
    const { flag, shares } = this.flag
    this.variantIndex ??=
      shares.length === 0 ? withoutVariant : placeAmong(shares, variantBucketOf(flag.key, this.id))
    return this.variantIndex
  }
}
