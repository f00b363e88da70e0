import { Command, Option } from 'commander'
import { operator } from '#projects/access'
import { failedOutcome } from '#projects/problems'
import { readConfig } from '#server/config'
import { type ExportFormat, exportFormats } from '#surveys/results/export-rows'
import { type Survey, type SurveyStatus, withoutPinHash } from '#surveys/survey'
import type { TilthCommand } from './command'
import { exportResponses } from './export-responses'
import { jsonIn } from './json-in'
import { surveyLinksCommand } from './survey-links'
import { commandOutput, table, withProduct } from './with-product'

export const surveyCommand: TilthCommand = () =>
  new Command('survey')
    .description('list, show, create, launch, stop and export surveys, and make links to them')
    .addCommand(list())
    .addCommand(show())
    .addCommand(create())
    .addCommand(transition('launch', 'launch a survey now', 'is launched.'))
    .addCommand(transition('stop', 'end a running survey', 'is stopped.'))
    .addCommand(exporting())
    .addCommand(surveyLinksCommand())

const commandLineViewer = operator('command line')

interface Options {
  json?: boolean
}

const missing = failedOutcome('There is no such survey in this project. See: tilth survey list <project>')

const list = (): Command =>
  new Command('list')
    .description('list a project’s surveys')
    .argument('<project>', 'its URL slug or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const all = await surveys.list(projects.find(named, commandLineViewer).id, commandLineViewer)
        const rows = all.map((survey) => [
          survey.id,
          surveys.statusOf(survey),
          survey.placement.kind,
          String(survey.content.questions.length),
          survey.name,
        ])
        return commandOutput(
          all.map(withoutPinHash),
          ...table(['ID', 'STATUS', 'PLACEMENT', 'QUESTIONS', 'NAME'], rows),
        )
      }),
    )

const show = (): Command =>
  new Command('show')
    .description('show a survey and its questions')
    .argument('<project>', 'its URL slug or number')
    .argument('<survey>', 'its id')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const project = projects.find(named, commandLineViewer)
        const survey = await surveys.find(project.id, id, commandLineViewer)
        return survey
          ? commandOutput(withoutPinHash(survey), ...linesOf(survey, surveys.statusOf(survey)))
          : missing
      }),
    )

const linesOf = (survey: Survey, status: SurveyStatus): string[] => [
  `${survey.name} (${status}, version ${survey.version})`,
  ...survey.content.questions.map(({ kind, text }, index) => `${index + 1}. ${text} (${kind})`),
]

const create = (): Command =>
  new Command('create')
    .description('create a survey from a file with JSON, or "-" for standard input')
    .argument('<project>', 'its URL slug or number')
    .argument('<file>', 'JSON, as the API takes it and as export writes it')
    .option('--json', 'answer with JSON')
    .action((named: string, file: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const project = projects.find(named, commandLineViewer)
        const read = jsonIn(file, 'See docs/surveys.md for an example.')
        if (!read.done) return read
        const outcome = await surveys.create(project.id, read.json, commandLineViewer)
        if (!outcome.done) return outcome
        const { survey } = outcome
        return commandOutput(withoutPinHash(survey), `“${survey.name}” is made: ${survey.id}`)
      }),
    )

const transition = (step: 'launch' | 'stop', description: string, result: string): Command =>
  new Command(step)
    .description(description)
    .argument('<project>', 'its URL slug or number')
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
        return commandOutput(withoutPinHash(outcome.survey), `“${outcome.survey.name}” ${result}`)
      }),
    )

const exporting = (): Command =>
  new Command('export')
    .description('write a survey’s definition as JSON, which create reads, or its responses')
    .argument('<project>', 'its URL slug or number')
    .argument('<survey>', 'its id')
    .addOption(
      new Option('--responses [format]', 'write all responses; Tilth must be running')
        .choices(exportFormats)
        .preset('csv'),
    )
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { responses }: { responses?: ExportFormat }) =>
      responses === undefined ? writeDefinition(named, id) : writeResponses(named, id, responses),
    )

const writeDefinition = (named: string, id: string): Promise<void> =>
  withProduct(true, async ({ projects, surveys }) => {
    const project = projects.find(named, commandLineViewer)
    const survey = await surveys.find(project.id, id, commandLineViewer)
    return survey ? commandOutput(definitionOf(survey)) : missing
  })

const writeResponses = (named: string, survey: string, format: ExportFormat): Promise<void> =>
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
