import { z } from 'zod'

/** Validates a display name: one line, short enough for a menu, safe in a log. */
export const nameFor = (missing: string) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(80, 'Use at most 80 characters for the name.')
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.')
