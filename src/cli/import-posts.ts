import { Command } from 'commander'
import type { PostSourceName } from '#posts/imports/read-export'
import { withProduct } from './with-product'

export interface PostImportCommand {
  source: PostSourceName
  path: string
  project?: string
  url?: string
  pictures?: boolean
  preview?: boolean
  json?: boolean
}

const sources = {
  ghost: 'Ghost: its JSON file',
  wordpress: 'WordPress: its XML file (WXR)',
  substack: 'Substack: the unpacked folder',
  medium: 'Medium: the unpacked folder',
} satisfies Record<PostSourceName, string>

const isSource = (name: string): name is PostSourceName => Object.hasOwn(sources, name)

export function importPostsCommand(): Command {
  const command = new Command('posts').description('bring the posts of another product into a project')
  for (const name of Object.keys(sources).filter(isSource)) command.addCommand(sourceCommand(name))
  return command
}

const sourceCommand = (source: PostSourceName): Command =>
  new Command(source)
    .description(sources[source])
    .argument('<path>', 'the file or the folder of the export')
    .option('--project <project>', 'its URL slug or number; optional if there is only one')
    .option('--url <address>', 'the address of the old site, for pictures that are named without it')
    .option('--pictures', 'download the pictures; otherwise they become links')
    .option('--preview', 'say what would be done, and change nothing')
    .option('--json', 'answer with JSON')
    .action((path: string, options: Omit<PostImportCommand, 'source' | 'path'>) =>
      withProduct(options.json, async (product) => {
        const { runPostImport } = await import('./run-post-import')
        return await runPostImport(product, { ...options, source, path })
      }),
    )
