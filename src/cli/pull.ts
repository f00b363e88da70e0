import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { TilthCommand } from './command'
import { projectNamed } from './run-query'
import { commandOutput, withProduct } from './with-product'

interface Options {
  project?: string
  json?: boolean
}

export const pullCommand: TilthCommand = () =>
  new Command('pull')
    .description(
      'write the definitions of a project to a file: flags, surveys, insights, dashboards and more',
    )
    .argument('[file]', 'the file, in YAML; the terminal if it is left out')
    .option('--project <slug>', 'its URL slug or number; optional if there is only one')
    .option('--json', 'answer with JSON')
    .addHelpText('after', '\nSee docs/configuration-as-code.md.')
    .action((file: string | undefined, { json, project: slug }: Options) =>
      withProduct(json, async (product) => {
        const found = projectNamed(product, slug)
        if (!found.done) return found
        const { pulledConfiguration } = await import('./configuration/apply-configuration')
        const pulled = await pulledConfiguration(product, found.project.id)
        if (!pulled.done) return pulled
        const { text, leftOut } = pulled
        for (const one of leftOut) if (!json) process.stderr.write(`Left out: ${one}.\n`)
        if (file === undefined) return commandOutput({ text, leftOut }, text.trimEnd())
        await writeFile(file, text)
        return commandOutput({ file, leftOut }, `The definitions of ${found.project.name} are in ${file}.`)
      }),
    )
