import { contrast, pageBackgrounds, parseColour } from '#posts/site-accents'

/** What the guidelines for accessible content ask of words. */
const readable = 4.5

/** How well words of this colour can be read on each ground, and what the site does where they cannot. */
export function contrastMessage(colour: string, background: keyof typeof pageBackgrounds): string {
  if (!/^#[\da-f]{6}$/i.test(colour)) return 'Write the colour as "#1f6f4a".'
  const ratio = contrast(parseColour(colour), parseColour(pageBackgrounds[background]))
  const ratioText = `${ratio.toFixed(1)} to 1 on the ${background} background`
  if (ratio >= readable) return `Contrast ${ratioText}: good.`
  const shade = background === 'light' ? 'darker' : 'lighter'
  return `Contrast ${ratioText}: too low for text. The site uses a ${shade} shade.`
}
