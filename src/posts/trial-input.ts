import { z } from 'zod'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Post, Trial, TrialVariant } from './post'
import { trialMetrics, trialVariant } from './post-schema'

const variantKeys = ['b', 'c', 'd', 'e'] as const

/** The variants beside the original, which is always included. */
export const newTrial = z.strictObject({
  variants: z
    .array(trialVariant, { error: 'Give the variants as a list.' })
    .min(1, 'Give at least one variant: the original is tried beside it.')
    .max(variantKeys.length, `Give at most ${variantKeys.length} variants: the original is the fifth.`),
  metric: z.enum(trialMetrics, { error: 'Say "clicks" or "reads".' }).default('clicks'),
})

export const winnerInput = z.strictObject({
  winner: z.string({ error: 'Name the variant that won: "a" is the original.' }),
})

/** The parts of a variant that lists show. */
type VariantLook = Pick<TrialVariant, 'title' | 'excerpt' | 'cover'>

export function trialOf(
  post: Post,
  { variants, metric }: z.infer<typeof newTrial>,
  startedAt: Date,
): Outcome<{ trial: Trial }> {
  const looks = [{}, ...variants].map((one) => variantLook(post, one))
  for (const [place, look] of looks.entries()) {
    const same = looks.findIndex((other) => looksEqual(other, look))
    if (same < place) return failedOutcome(sameVariantMessage(place, same), `variants.${place - 1}`)
  }
  const others = variants.map((one, place) => ({ key: variantKeys[place] ?? '', ...one }))
  const key = `post-${post.id}-${nextTrialNumber(post.trial) + 1}`
  const state = { name: 'running' } as const
  return { done: true, trial: { key, variants: [{ key: 'a' }, ...others], startedAt, metric, state } }
}

/** The post with the texts of one of its variants. */
export const withVariant = (post: Post, one: TrialVariant): Post => ({ ...post, ...variantLook(post, one) })

const variantLook = ({ title, excerpt, cover }: Post, one: VariantLook) => ({
  title: one.title ?? title,
  excerpt: one.excerpt ?? excerpt,
  cover: one.cover ?? cover,
})

const looksEqual = (one: VariantLook, other: VariantLook): boolean =>
  one.title === other.title &&
  one.excerpt === other.excerpt &&
  one.cover?.address === other.cover?.address &&
  one.cover?.alt === other.cover?.alt

const sameVariantMessage = (place: number, same: number): string =>
  same === 0
    ? `Variant ${place} says nothing else than the post. Change its title, excerpt or cover.`
    : `Variants ${same} and ${place} say the same. Change one of them.`

/** Each trial of a post has a key of its own, so that visitors do not stay in a variant of an earlier one. */
const nextTrialNumber = (trial: Trial | undefined): number => Number(trial?.key.split('-').at(-1) ?? 0)
