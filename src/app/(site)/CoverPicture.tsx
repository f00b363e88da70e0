import type { Picture } from '#posts/post'
import { copiesOf } from './picture-sizes'

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
