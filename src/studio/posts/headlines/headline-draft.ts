import type { Picture } from '#posts/post'

/** A variant on its way. What is empty stays as the post says it. */
export interface HeadlineDraft {
  id: number
  title: string
  excerpt: string
  cover: Picture | undefined
}

let lastId = 0

export const newHeadline = (): HeadlineDraft => ({ id: ++lastId, title: '', excerpt: '', cover: undefined })

export const inputOf = ({ title, excerpt, cover }: HeadlineDraft) => ({
  ...(title.trim() !== '' && { title: title.trim() }),
  ...(excerpt.trim() !== '' && { excerpt: excerpt.trim() }),
  ...(cover && { cover }),
})
