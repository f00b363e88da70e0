import { hash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'

export const layoutNames = ['default', 'home', 'list', 'page', 'post', 'not-found', 'error'] as const
export type LayoutName = (typeof layoutNames)[number]

const kitPage = z.object({
  /** The address, with parts such as `[slug]` and `[...rest]`: `/docs/[slug]`. */
  address: z.string(),
  file: z.string(),
  /** The last change of the files of the folder that it is made of. */
  changedAt: z.string().optional(),
})
export type KitPage = z.infer<typeof kitPage>

const kitIcon = z.object({
  rel: z.enum(['icon', 'apple-touch-icon']),
  href: z.string(),
  type: z.string(),
  sizes: z.string().optional(),
})
export type KitIcon = z.infer<typeof kitIcon>

/** The contents of a site folder's build. */
export const kitManifest = z.object({
  /** A hash of everything in it, except times of changes. */
  id: z.string().regex(/^[\w-]{8,64}$/),
  pages: z.array(kitPage),
  /** The files `route.ts`, which answer requests themselves. */
  routes: z.array(kitPage).default([]),
  layouts: z.partialRecord(z.enum(layoutNames), z.string()),
  /** Posts and pages in MDX, by their path: `posts/hello.mdx`. */
  mdx: z.array(z.string()),
  /** For each script of a client module the scripts that it loads. */
  scripts: z.record(z.string(), z.array(z.string())).default({}),
  /** The entries of collections, by file, with the time of their last change. */
  entries: z.record(z.string(), z.string()).optional(),
  /** Addresses of style sheets. */
  styles: z.array(z.string()),
  icons: z.array(kitIcon),
  /** Colours of the browser around the page. */
  backgrounds: z.object({ light: z.string(), dark: z.string() }).optional(),
})
export type KitManifest = z.infer<typeof kitManifest>

/** The part of the content that every page of the folder's project shows. */
export const kitPart = 'kit'
export function kitFingerprint({ manifest, problems, isDev }: ShownKit): string {
  const id = manifest?.id ?? 'none'
  return isDev && problems.length > 0 ? `${id}-${hash('sha1', problems.map(problemText).join('\n'))}` : id
}

interface ShownKit {
  manifest: Pick<KitManifest, 'id'> | undefined
  problems: readonly KitProblem[]
  isDev: boolean
}

/** A Tilth without a site folder. */
export const noKit = { manifest: undefined, problems: [], isDev: false } satisfies ShownKit

const kitProblem = z.object({
  message: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  column: z.number().optional(),
  /** The components around it, the innermost first. */
  components: z.array(z.string()).optional(),
})
export type KitProblem = z.infer<typeof kitProblem>

export const problemText = ({ file, line, column, message }: KitProblem): string =>
  file === undefined
    ? message
    : `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`

/** The inputs and the output folder of a build. */
export interface KitBuild {
  /** The site folder. */
  folder: string
  /** Receives `builds/<id>` and `assets`. */
  output: string
  /** The folder `src/site-kit/internal/runtime`, which the build of Tilth copies. */
  runtime: string
  /** The folder from which React is resolved: there is one React, Tilth's. */
  packages: string
  /** Whether it is for `tilth dev`: with React's development build, and names and places as they are written. */
  isDev: boolean
}

/** The outcome of a build, as its process sends it. */
export const buildOutcome = z.discriminatedUnion('done', [
  z.object({ done: z.literal(true), manifest: kitManifest, ms: z.number() }),
  z.object({ done: z.literal(false), problems: z.array(kitProblem) }),
])
export type BuildOutcome = z.infer<typeof buildOutcome>

/** The program of a build, which the renderer runs. */
export const programOf = (output: string, { id }: Pick<KitManifest, 'id'>): string =>
  join(output, 'builds', id, 'server.mjs')

/** The program of a renderer that waits for a build of `tilth dev`, with React in it. */
export const reactOf = (output: string): string => join(output, 'react.mjs')

/** Addresses of what browsers load of a kit. */
export const kitAssetsPath = '/_tilth/site'
