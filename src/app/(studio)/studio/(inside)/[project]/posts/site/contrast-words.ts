import { contrast, grounds, parse } from '../../../../../../(site)/theme'

/** What the guidelines for accessible content ask of words. */
const readable = 4.5

/** How well words of this colour can be read on each ground, and what the site does where they cannot. */
export function contrastWords(colour: string, ground: keyof typeof grounds): string {
  if (!/^#[\da-f]{6}$/i.test(colour)) return 'Write the colour as "#1f6f4a".'
  const ratio = contrast(parse(colour), parse(grounds[ground]))
  const said = `${ratio.toFixed(1)} to 1 on the ${ground} ground`
  if (ratio >= readable) return `Contrast ${said}: easy to read.`
  const shade = ground === 'light' ? 'darker' : 'lighter'
  return `Contrast ${said}: too little for words. The site uses a ${shade} shade of it.`
}
