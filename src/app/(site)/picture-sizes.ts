import type { Picture } from '#posts/post'

/** The widths in which copies of an uploaded picture exist (posts/pictures/encoding.ts makes them). */
const widths = [480, 960, 1600]

/** Copies that are narrower than the picture, for browsers to choose from; undefined where there are none. */
export function copiesOf({ address, width }: Picture): string | undefined {
  if (!width || !address.startsWith('/_tilth/images/')) return undefined
  const narrower = widths.filter((one) => one < width).map((one) => `${address}?w=${one} ${one}w`)
  return narrower.length > 0 ? [...narrower, `${address} ${width}w`].join(', ') : undefined
}
