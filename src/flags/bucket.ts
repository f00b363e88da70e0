import { hash } from 'node:crypto'
import type { LayerSlice, Variant } from './flag'

/**
 * PostHog divides the first fifteen hexadecimal digits by the largest number with fifteen digits, which is rounded to
 * this.
 */
const scale = 2 ** 60

/**
 * Adds two halves of 28 and 32 bits, so that the sum is rounded once, as parsing the digits would. Reading bytes
 * instead of digits takes two thirds of the time, and hashing is most of the cost of a decision.
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

/** Returns the same number for all flags of a layer, so that their slices share no visitor. */
export const layerBucketOf = (layer: number, id: string): number => fractionOf(`layer-${layer}.${id}`)

/** Slices beside each other share no bucket, and together they leave none out. */
export const isInSlice = (bucket: number, { from, until }: Pick<LayerSlice, 'from' | 'until'>): boolean =>
  bucket >= from / 100 && (bucket < until / 100 || until === 100)

/** A bucket exactly on the edge is included. */
export const isWithinShare = (bucket: number, percentage: number): boolean => !(bucket > percentage / 100)

/** The upper end of each variant's share; summed in PostHog's order, because the last digits matter. */
export function sharesOf(variants: readonly Variant[]): number[] {
  let end = 0
  return variants.map(({ percentage }) => (end += percentage / 100))
}

/** The index of the variant whose share contains the bucket; -1 if none does because the shares end before 1. */
export const placeAmong = (shares: readonly number[], bucket: number): number =>
  shares.findIndex((end) => bucket < end)
