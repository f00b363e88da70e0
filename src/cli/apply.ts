import { readFile } from 'node:fs/promises'
import { text as textIn } from 'node:stream/consumers'
import { Command } from 'commander'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { TilthCommand } from './command'
import { promptFor } from './prompt'
import { projectNamed } from './run-query'
import { commandOutput, withProduct } from './with-product'

interface Options {
  project?: string
  preview?: boolean
  yes?: boolean
  prune?: boolean
  json?: boolean
}

export const applyCommand: TilthCommand = () =>
  new Command('apply')
    .description('bring the definitions in a file to a project, after showing what would change')
    .argument('<file>', 'a file that tilth pull has written; - for the input')
    .option('--project <slug>', 'its URL slug or number; optional if there is only one')
    .option('--preview', 'show what would change, and change nothing')
    .option('--yes', 'write without asking')
    .option('--prune', 'remove or archive what the sections of the file do not have')
    .option('--json', 'answer with JSON')
    .addHelpText('after', '\nSee docs/configuration-as-code.md.')
    .action((file: string, { json, ...options }: Options) =>
      withProduct(json, async (product) => {
        const found = projectNamed(product, options.project)
        if (!found.done) return found
        const read = await contentOf(file)
        if (!read.done) return read
        if (!options.preview && !options.yes && (json || !process.stdin.isTTY || file === '-'))
          return failedOutcome('Give --yes to write without being asked, or --preview to see the difference.')
        const { applyConfiguration } = await import('./configuration/apply-configuration')
        const outcome = await applyConfiguration(product, found.project.id, read.text, {
          prune: options.prune,
          confirm: async (difference) => {
            if (!json) process.stderr.write(`${difference.join('\n')}\n`)
            if (options.preview) return 'show'
            if (options.yes) return 'write'
            const answer = await promptFor(`Write this to ${found.project.name}? [y/N] `)
            return /^y(?:es)?$/i.test(answer.trim()) ? 'write' : 'cancel'
          },
        })
        if (!outcome.done) return outcome
        const { created, changed, removed, written } = outcome.result
        const count = created.length + changed.length + removed.length
        if (count === 0) return commandOutput(outcome.result, 'There is nothing to change.')
        const line = `${created.length} created, ${changed.length} changed, ${removed.length} removed.`
        return commandOutput(outcome.result, written ? line : `Nothing was changed. It would be: ${line}`)
      }),
    )

async function contentOf(file: string): Promise<Outcome<{ text: string }>> {
  try {
    return { done: true, text: file === '-' ? await textIn(process.stdin) : await readFile(file, 'utf8') }
  } catch (problem) {
    const isMissing = problem instanceof Error && 'code' in problem && problem.code === 'ENOENT'
    if (!isMissing) throw problem
    return failedOutcome(`There is no file ${file}.`)
  }
}
