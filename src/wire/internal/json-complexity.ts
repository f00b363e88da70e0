/** A shorter text cannot take much memory, whatever its structure. */
const minCheckedLength = 64 * 1024
/** Deeper than anything is nested on purpose. */
const deepest = 200
/** A batch of 20 MB full of the smallest events we know of has 400,000. */
const mostParts = 1_000_000

const quote = 34
const backslash = 92

/**
 * Whether a JSON text would take far more memory than its length suggests: every `{}` of two characters becomes an
 * object of fifty-six bytes. Checked before parsing, because afterwards the memory is already taken.
 */
export function isTooComplex(text: string): boolean {
  if (text.length < minCheckedLength) return false
  let depth = 0
  let parts = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = endOfString(text, i)
    else if (opens(code)) {
      if (++depth > deepest || ++parts > mostParts) return true
    } else if (closes(code)) depth--
  }
  return false
}

/** `[` and `{`. */
const opens = (code: number): boolean => code === 91 || code === 123
/** `]` and `}`. */
const closes = (code: number): boolean => code === 93 || code === 125

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === backslash) before--
  return (at - before) % 2 === 1
}
