import { hash } from 'node:crypto'
import type { Variant } from './flag'

/** PostHog divides the first fifteen hexadecimal digits by the largest number of so many, which is rounded to this. */
const scale = 2 ** 60

/**
 * Two halves of 28 and 32 bits, so that adding them rounds once, as reading the digits would. As bytes rather than digits
 * it takes two thirds of the time, and hashing is most of what deciding costs.
 */
function fractionOf(text: string): number {
  const bytes = hash('sha1', text, 'binary')
  const high =
    (bytes.charCodeAt(0) << 20) |
    (bytes.charCodeAt(1) << 12) |
    (bytes.charCodeAt(2) << 4) |
    (bytes.charCodeAt(3) >> 4)
  const low =
    ((bytes.charCodeAt(3) & 0xf) << 28) |
    (bytes.charCodeAt(4) << 20) |
    (bytes.charCodeAt(5) << 12) |
    (bytes.charCodeAt(6) << 4) |
    (bytes.charCodeAt(7) >> 4)
  return (high * 2 ** 32 + (low >>> 0)) / scale
}

/** From 0 to 1, always the same for the same flag and id, and the same as PostHog's, so that nobody moves over. */
export const bucketOf = (key: string, id: string): number => fractionOf(`${key}.${id}`)

/** Drawn anew, so that who gets which variant has nothing to do with who is let in. */
export const variantBucketOf = (key: string, id: string): number => fractionOf(`${key}.${id}variant`)

/** The same for all flags and all holdouts: whoever is held out is held out of all of them. */
export const holdoutBucketOf = (id: string): number => fractionOf(`holdout-${id}`)

/** Exactly on the edge is in. */
export const isWithinShare = (bucket: number, percentage: number): boolean => !(bucket > percentage / 100)

/** Where each variant's share ends; added up as PostHog adds, because the last digits decide. */
export function sharesOf(variants: readonly Variant[]): number[] {
  let end = 0
  return variants.map(({ percentage }) => (end += percentage / 100))
}

/** Which variant's share it is in, by place; -1 in none, where they end before 1. */
export const placeAmong = (shares: readonly number[], bucket: number): number =>
  shares.findIndex((end) => bucket < end)
