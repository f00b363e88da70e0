import type { Picture } from '#posts/post'

interface CoverPictureProps {
  picture: Picture
  /** The shown width, in the format of the `sizes` attribute. */
  sizes: string
  /** Whether it is seen without scrolling. */
  isFirst: boolean
}

export function CoverPicture({ picture, sizes, isFirst }: CoverPictureProps) {
  const copies = copiesOf(picture)
  return (
    <img
      src={picture.address}
      srcSet={copies}
      sizes={copies && sizes}
      width={picture.width}
      height={picture.height}
      alt={picture.alt}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
      decoding="async"
    />
  )
}

/** The widths in which copies of an uploaded picture exist (posts/pictures/internal/encoding.ts makes them). */
const widths = [480, 960, 1600]

/** Copies that are narrower than the picture, for browsers to choose from; undefined where there are none. */
function copiesOf({ address, width }: Picture): string | undefined {
  if (!width || !address.startsWith('/_tilth/images/')) return undefined
  const narrower = widths.filter((one) => one < width).map((one) => `${address}?w=${one} ${one}w`)
  return narrower.length > 0 ? [...narrower, `${address} ${width}w`].join(', ') : undefined
}
