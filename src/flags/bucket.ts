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

/**
 * Returns a number from 0 to 1, stable for a flag and id. PostHog computes the same one, so an import moves no
 * visitor.
 */
export const bucketOf = (key: string, id: string): number => fractionOf(`${key}.${id}`)

/**
 * Hashes separately from `bucketOf`, so that the variant does not depend on how close a visitor is to the percentage.
 */
export const variantBucketOf = (key: string, id: string): number => fractionOf(`${key}.${id}variant`)

/** Returns the same number for all flags and holdouts, so that the same people are held out everywhere. */
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
