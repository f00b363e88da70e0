import { z } from 'zod'

/** A reader's comment below a post. It is plain text: links and headings in it are not rendered. */
export interface Comment {
  id: string
  projectId: number
  /** The id of the post, as in `Post`. */
  postId: string
  name: string
  text: string
  state: CommentState
  writtenAt: Date
  /** The member who approved or hid it. */
  decidedBy: string | undefined
}

/** A comment waits until a member has reviewed it. */
export const commentStates = ['waiting', 'shown', 'hidden'] as const
export type CommentState = (typeof commentStates)[number]

/** No comments are accepted beyond this number of unreviewed ones, which is most likely abuse. */
export const maxWaiting = 1000

const visibleText = /^[^\p{Cs}\0]*$/u
const leaveOut = 'Leave out characters that cannot be seen.'

export const newComment = z.object({
  name: z
    .string({ error: 'Enter your name.' })
    .trim()
    .min(1, 'Enter your name.')
    .max(80, 'Use at most 80 characters.')
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, leaveOut),
  text: z
    .string({ error: 'Enter a comment.' })
    .trim()
    .min(1, 'Enter a comment.')
    .max(5000, 'Use at most 5,000 characters.')
    .regex(visibleText, leaveOut)
    // forms send line breaks in this format
    .transform((text) => text.replaceAll('\r\n', '\n')),
})

export const commentDecision = z.object({
  state: z.enum(['shown', 'hidden'], { error: 'Say "shown" or "hidden".' }),
})
