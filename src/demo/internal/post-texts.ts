import { existsSync, readFileSync } from 'node:fs'
import { readFrontMatter } from '#posts/front-matter'
import { requireDone } from './require-done'

/** A post or page of the demo's site, as in its file of `texts/`. */
export interface DemoText {
  /** The last part of its address, which the generated visitors open. */
  slug: string
  /** Title, excerpt and more, as a new post has them. */
  fields: Readonly<Record<string, unknown>>
  /** Pictures are named as in `pictures.ts`. */
  body: string
}

export const authors = [
  {
    slug: 'mara',
    name: 'Mara Lindqvist',
    bio: 'Founded Pinewise after planning one move too many in a spreadsheet.',
  },
  { slug: 'tomas', name: 'Tomás Beck', bio: 'Builds boards, and writes about how teams use them.' },
] as const

const postSlugs = [
  'why-boards',
  'standups-without-meetings',
  'import-without-tears',
  'small-teams-plan',
  'hello-world',
  'automations-in-ten-minutes',
  'remote-retrospectives',
  'boards-2',
  'calm-notifications',
  'what-we-measure',
]

export const readPosts = (): DemoText[] =>
  postSlugs.map((slug) => ({ slug, ...readText(`posts/${slug}.md`) }))

/** A translation follows the page that it is of. */
export const readPages = (): DemoText[] =>
  ['', 'signup', 'pricing', 'about', 'de/about'].map((slug) => ({
    slug,
    ...readText(`pages/${slug || 'index'}.md`),
  }))

function readText(file: string): Omit<DemoText, 'slug'> {
  const { fields, body } = requireDone(readFrontMatter(readFileSync(new URL(file, folder()), 'utf8'))).file
  return { fields, body: body.trim() }
}

/** The build copies the texts beside the programs. */
function folder(): URL {
  const built = new URL('demo-texts/', import.meta.url)
  return existsSync(built) ? built : new URL('texts/', import.meta.url)
}
