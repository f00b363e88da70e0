import { Command, Option } from 'commander'
import { operator } from '#projects/access'
import { failedOutcome, type Outcome } from '#projects/problems'
import { type Config, readConfig } from '#server/config'
import type { Product } from '#server/product'
import { type ExportFormat, exportFormats } from '#surveys/results/export-rows'
import { editablePartOf, type Survey, type SurveyStatus, withoutPinHash } from '#surveys/survey'
import type { SurveyTemplate } from '#surveys/templates'
import type { TilthCommand } from './command'
import { jsonIn } from './json-in'
import { surveyLinksCommand } from './survey-links'
import { questionRows, surveyResultsOfRunning, totalRows } from './survey-results'
import { commandOutput, table, withProduct } from './with-product'
import type { Project } from '#projects/project'
import { callRunningTilth, refusalIn } from './call-running-tilth'

export const surveyCommand: TilthCommand = () =>
  new Command('survey')
    .description('list, show, create, change, launch, stop and export surveys, and read their results')
    .addCommand(list())
    .addCommand(show())
    .addCommand(templates())
    .addCommand(create())
    .addCommand(change())
    .addCommand(
      step('launch', 'launch a survey now', 'is launched.', (surveys, ...of) =>
        surveys.launch(...of, {}, by),
      ),
    )
    .addCommand(
      step('stop', 'end a running survey', 'is stopped.', (surveys, ...of) => surveys.stop(...of, by)),
    )
    .addCommand(
      step('resume', 'take answers again after the end', 'takes answers again.', (surveys, ...of) =>
        surveys.resume(...of, by),
      ),
    )
    .addCommand(
      step(
        'archive',
        'close a survey and take it out of the list; its answers stay',
        'is archived.',
        (surveys, ...of) => surveys.archive(...of, by),
      ),
    )
    .addCommand(
      step('restore', 'bring an archived survey back as it was', 'is restored.', (surveys, ...of) =>
        surveys.restore(...of, by),
      ),
    )
    .addCommand(
      step('duplicate', 'make a draft with the same content and conditions', 'is made', (surveys, ...of) =>
        surveys.duplicate(...of, by),
      ),
    )
    .addCommand(results())
    .addCommand(exporting())
    .addCommand(surveyLinksCommand())

const by = operator('command line')

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
        const all = await surveys.list(projects.find(named, by).id, by)
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
        const project = projects.find(named, by)
        const survey = await surveys.find(project.id, id, by)
        return survey
          ? commandOutput(withoutPinHash(survey), ...linesOf(survey, surveys.statusOf(survey)))
          : missing
      }),
    )

const linesOf = (survey: Survey, status: SurveyStatus): string[] => [
  `${survey.name} (${status}, version ${survey.version})`,
  ...survey.content.questions.map(({ kind, text }, index) => `${index + 1}. ${text} (${kind})`),
]

const templates = (): Command =>
  new Command('templates')
    .description('list the templates that create takes')
    .argument('<project>', 'its URL slug or number')
    .option('--json', 'answer with JSON')
    .action((named: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const all = surveys.templates(projects.find(named, by).id, by)
        const rows = all.map(({ id, name, description, input }) => [
          id,
          String(input.content.questions.length),
          name,
          description,
        ])
        return commandOutput(all, ...table(['ID', 'QUESTIONS', 'NAME', 'DESCRIPTION'], rows))
      }),
    )

interface CreateOptions extends Options {
  template?: string
  name?: string
}

const create = (): Command =>
  new Command('create')
    .description('create a survey from a file with JSON, "-" for standard input, or from a template')
    .argument('<project>', 'its URL slug or number')
    .argument('[file]', 'JSON, as the API takes it and as export writes it')
    .option('--template <id>', 'one of: tilth survey templates <project>')
    .option('--name <name>', 'instead of that of the file or the template')
    .option('--json', 'answer with JSON')
    .action((named: string, file: string | undefined, { json, template, name }: CreateOptions) =>
      withProduct(json, async ({ projects, surveys }) => {
        const project = projects.find(named, by)
        const read = inputOf(file, template, surveys.templates(project.id, by))
        if (!read.done) return read
        const input = name === undefined ? read.json : { ...Object(read.json), name }
        const outcome = await surveys.create(project.id, input, by)
        if (!outcome.done) return outcome
        const { survey } = outcome
        return commandOutput(withoutPinHash(survey), `“${survey.name}” is made: ${survey.id}`)
      }),
    )

function inputOf(
  file: string | undefined,
  template: string | undefined,
  known: readonly SurveyTemplate[],
): Outcome<{ json: unknown }> {
  if ((file === undefined) === (template === undefined))
    return failedOutcome('Name a file, or a template with --template.')
  if (file !== undefined) return jsonIn(file, 'See docs/surveys.md for an example.')
  const found = known.find(({ id }) => id === template)
  if (found) return { done: true, json: found.input }
  return failedOutcome(
    `There is no template “${template}”. Templates: ${known.map(({ id }) => id).join(', ')}.`,
  )
}

const change = (): Command =>
  new Command('change')
    .description('change what a file with JSON names, or "-" for standard input; the rest stays')
    .argument('<project>', 'its URL slug or number')
    .argument('<survey>', 'its id')
    .argument('<file>', 'JSON, as the API takes it: null removes an optional part')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, file: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const project = projects.find(named, by)
        const read = jsonIn(file, 'See docs/surveys.md for an example.')
        if (!read.done) return read
        const outcome = await surveys.change(project.id, id, read.json, by)
        if (!outcome.done) return outcome
        const { survey } = outcome
        return commandOutput(
          withoutPinHash(survey),
          `“${survey.name}” is changed (version ${survey.version}).`,
        )
      }),
    )

type SurveyStep = (
  surveys: Product['surveys'],
  projectId: number,
  id: string,
) => Promise<Outcome<{ survey: Survey }>>

const step = (name: string, description: string, result: string, take: SurveyStep): Command =>
  new Command(name)
    .description(description)
    .argument('<project>', 'its URL slug or number')
    .argument('<survey>', 'its id')
    .option('--json', 'answer with JSON')
    .action((named: string, id: string, { json }: Options) =>
      withProduct(json, async ({ projects, surveys }) => {
        const outcome = await take(surveys, projects.find(named, by).id, id)
        if (!outcome.done) return outcome
        const { survey } = outcome
        const ending = survey.id === id ? result : `${result}: ${survey.id}`
        return commandOutput(withoutPinHash(survey), `“${survey.name}” ${ending}`)
      }),
    )

const results = (): Command =>
  new Command('results')
    .description('count the answers to a survey; Tilth must be running')
    .argument('<project>', 'its URL slug or number')
    .argument('<survey>', 'its id')
    .option('--period <period>', 'as in 30d or 2026-01-01..2026-01-31', 'all')
    .option('--json', 'answer with JSON')
    .action((named: string, survey: string, { json, period }: Options & { period: string }) =>
      withProduct(json, async (product) => {
        const reading = readConfig(process.env)
        if (!reading.readable) return failedOutcome(reading.problems.join(' '))
        const project = product.projects.find(named, by)
        const outcome = await surveyResultsOfRunning(product, reading.config, { project, survey, period })
        if (!outcome.done) return outcome
        const lines = [
          ...table(['NUMBER', 'VALUE'], totalRows(outcome.results)),
          '',
          ...table(['QUESTION', 'ANSWER', 'COUNT', 'SHARE'], questionRows(outcome.results)),
        ]
        return commandOutput(outcome.results, ...lines)
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
    const project = projects.find(named, by)
    const survey = await surveys.find(project.id, id, by)
    return survey ? commandOutput(definitionOf(survey)) : missing
  })

const writeResponses = (named: string, survey: string, format: ExportFormat): Promise<void> =>
  withProduct(false, async (product) => {
    const reading = readConfig(process.env)
    if (!reading.readable) return failedOutcome(reading.problems.join(' '))
    const project = product.projects.find(named, by)
    const request = { project, survey, format }
    const outcome = await exportResponses(product, reading.config, request, process.stdout)
    return outcome.done ? commandOutput({}) : outcome
  })

/** Returns the input of `create` for the same survey. */
function definitionOf(survey: Survey) {
  const { endsAt: _, ...definition } = editablePartOf(survey)
  return definition
}

interface ExportRequest {
  project: Project
  survey: string
  format: ExportFormat
}

/** Writes the responses to a survey as the running Tilth sends them. */
async function exportResponses(
  product: Product,
  config: Config,
  { project, survey, format }: ExportRequest,
  output: NodeJS.WritableStream,
): Promise<Outcome> {
  const key = { name: 'tilth survey export', scopes: ['project:read', 'surveys:read'] }
  return await callRunningTilth({ product, config, project, key }, async (call) => {
    const path = `/api/v1/projects/${project.id}/surveys/${encodeURIComponent(survey)}/export?format=${format}`
    const answer = await call({ method: 'GET', path, output })
    return answer.status === 200 ? { done: true } : refusalIn(answer)
  })
}
