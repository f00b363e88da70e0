import type { ComponentProps } from 'react'

/** Draws pictures of Markdown, by their addresses there: where they are served, and how large they are. */
export const pictureOf = (pictures: unknown) =>
  function Picture(props: ComponentProps<'img'>) {
    // only `shownPictures` and builds make it
    const known = (pictures ?? {}) as Readonly<Record<string, ComponentProps<'img'>>>
    const { src = '' } = props
    return <img alt="" {...props} {...(typeof src === 'string' && Object.hasOwn(known, src) && known[src])} />
  }
