const inBrackets = String.raw`\[(?:[^\s[\]]|\[(?:[^\s[\]]|\[[^\s[\]]*\])*\]){0,200}\]`
const inParentheses = String.raw`\((?:[^\s()]|\((?:[^\s()]|\([^\s()]*\))*\)){0,200}\)`
/** A run of the characters of class names. Values of their own stand in brackets, which hold anything but white space. */
const candidate = new RegExp(String.raw`(?:[\w\-:/.%!@*#]+|${inBrackets}|${inParentheses}){1,12}`, 'g')

/**
 * Returns every text that may be a class of Tailwind. It finds too many rather than too few, in files of all kinds alike:
 * those that are none are ignored by Tailwind.
 */
export function candidatesIn(text: string): Set<string> {
  const found = new Set<string>()
  for (candidate.lastIndex = 0; ;) {
    const match = candidate.exec(text)
    if (!match) return found
    const [run] = match
    found.add(run)
    // the end of a sentence, the name of a member, and `{.class}` in Markdown
    const bare = run.replace(/^\.+/, '').replace(/[.:,]+$/, '')
    if (bare !== '') found.add(bare)
    // what is called in one run, as in `clsx('p-4','m-2')`, has classes in its brackets
    const opening = run.search(/[[(]/)
    if (opening >= 0) candidate.lastIndex = match.index + opening + 1
  }
}
