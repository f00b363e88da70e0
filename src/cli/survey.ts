import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { operator } from '#projects/access'
import { failedOutcome } from '#projects/problems'
import { readConfig } from '#server/config'
import { type Survey, statusOf } from '#surveys/survey'
import type { TilthCommand } from './command'
import { exportFormats, exportResponses } from './export-responses'
import { commandOutput, table, withProduct } from './with-product'

export const surveyCommand: TilthCommand = () =>
  new Command('survey')
    .description('list, show, create, launch, stop and export surveys')
    .addCommand(list())
    .addCommand(show())
    .addCommand(create())
    .addCommand(transition('launch', 'launch a survey now', 'is launched.'))
    .addCommand(transition('stop', 'end a running survey', 'is stopped.'))
    .addCommand(exporting())

const commandLineViewer = operator('command line')

interface Options {
  json?: boolean
}

const missing = failedOutcome('There is no such survey in this project. See: tilth survey list <project>')

/** The definition alone: whether a response limit is reached only the running Tilth knows. */
const status = (survey: Survey): string => statusOf(survey, new Date(), 0)

const list = (): Command =>
  new Command('list')
    .description('list a project’s surveys')
    .argument('<project>', 'its address part or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const all = await surveys.list(projects.find(named, commandLineViewer).id, commandLineViewer)
        const rows = all.map((survey) => [
          survey.id,
          status(survey),
          survey.placement.kind,
          String(survey.content.questions.length),
          survey.name,
        ])
        return commandOutput(
          all.map(withoutSecrets),
          ...table(['ID', 'STATUS', 'PLACEMENT', 'QUESTIONS', 'NAME'], rows),
        )
      }),
    )

const withoutSecrets = ({ hostedPage: { pinHash, ...page }, ...survey }: Survey) => ({
  ...survey,
  hostedPage: { ...page, hasPin: pinHash !== undefined },
})

const show = (): Command =>
  new Command('show')
    .description('show a survey and its questions')
    .argument('<project>', 'its address part or number')
    .argument('<survey>', 'its id')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const project = projects.find(named, commandLineViewer)
        const survey = await surveys.find(project.id, id, commandLineViewer)
        return survey ? commandOutput(withoutSecrets(survey), ...linesOf(survey)) : missing
      }),
    )

const linesOf = (survey: Survey): string[] => [
  `${survey.name} (${status(survey)}, version ${survey.version})`,
  ...survey.content.questions.map(({ kind, text }, index) => `${index + 1}. ${text} (${kind})`),
]

const create = (): Command =>
  new Command('create')
    .description('make a survey from a file with JSON, or "-" for standard input')
    .argument('<project>', 'its address part or number')
    .argument('<file>', 'JSON, as the API takes it and as export writes it')
    .option('--json', 'answer with JSON')
    .action((named: string, file: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const project = projects.find(named, commandLineViewer)
        const read = jsonIn(file)
        if (!read.done) return read
        const outcome = await surveys.create(project.id, read.json, commandLineViewer)
        if (!outcome.done) return outcome
        const { survey } = outcome
        return commandOutput(withoutSecrets(survey), `“${survey.name}” is made: ${survey.id}`)
      }),
    )

function jsonIn(file: string) {
  try {
    const json: unknown = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
    return { done: true as const, json }
  } catch (problem) {
    const reason = problem instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    return failedOutcome(`${file} ${reason}. See docs/surveys.md for an example.`)
  }
}

const transition = (step: 'launch' | 'stop', description: string, result: string): Command =>
  new Command(step)
    .description(description)
    .argument('<project>', 'its address part or number')
    .argument('<survey>', 'its id')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const project = projects.find(named, commandLineViewer)
        const outcome =
          step === 'launch'
            ? await surveys.launch(project.id, id, {}, commandLineViewer)
            : await surveys.stop(project.id, id, commandLineViewer)
        if (!outcome.done) return outcome
        return commandOutput(withoutSecrets(outcome.survey), `“${outcome.survey.name}” ${result}`)
      }),
    )

const exporting = (): Command =>
  new Command('export')
    .description('write a survey’s definition as JSON, which create reads, or its responses')
    .argument('<project>', 'its address part or number')
    .argument('<survey>', 'its id')
    .addOption(
      new Option('--responses [format]', 'write all responses; Tilth must be running')
        .choices(exportFormats)
        .preset('csv'),
    )
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { responses }: { responses?: (typeof exportFormats)[number] }) =>
      responses === undefined ? writeDefinition(named, id) : writeResponses(named, id, responses),
    )

const writeDefinition = (named: string, id: string): Promise<void> =>
  withProduct(true, async ({ projects, surveys }) => {
    const project = projects.find(named, commandLineViewer)
    const survey = await surveys.find(project.id, id, commandLineViewer)
    return survey ? commandOutput(definitionOf(survey)) : missing
  })

const writeResponses = (
  named: string,
  survey: string,
  format: (typeof exportFormats)[number],
): Promise<void> =>
  withProduct(false, async (product) => {
    const reading = readConfig(process.env)
    if (!reading.readable) return failedOutcome(reading.problems.join(' '))
    const project = product.projects.find(named, commandLineViewer)
    const request = { project, survey, format }
    const outcome = await exportResponses(product, reading.config, request, process.stdout)
    return outcome.done ? commandOutput({}) : outcome
  })

/** What `create` takes. */
function definitionOf({ hostedPage: { pinHash: _, ...hostedPage }, ...survey }: Survey) {
  const { name, description, content, placement, targeting, schedule, responseLimit } = survey
  return { name, description, content, placement, hostedPage, targeting, schedule, responseLimit }
}
