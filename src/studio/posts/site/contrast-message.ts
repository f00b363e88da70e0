import { contrast, pageBackgrounds, parseColour } from '#posts/site-accents'

/** The contrast that the guidelines for accessible content demand of text. */
const readable = 4.5

/** The legibility of text of this colour on each background, and the site's substitute if it is too low. */
export function contrastMessage(colour: string, background: keyof typeof pageBackgrounds): string {
  if (!/^#[\da-f]{6}$/i.test(colour)) return 'Write the colour as "#1f6f4a".'
  const ratio = contrast(parseColour(colour), parseColour(pageBackgrounds[background]))
  const ratioText = `${ratio.toFixed(1)} to 1 on the ${background} background`
  if (ratio >= readable) return `Contrast ${ratioText}: good.`
  const shade = background === 'light' ? 'darker' : 'lighter'
  return `Contrast ${ratioText}: too low for text. The site uses a ${shade} shade.`
}
