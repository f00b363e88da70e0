import { z } from 'zod'
import type { AlertServices } from '#alerts/open'
import type { Dashboards } from '#dashboards/dashboards'
import type { ExperimentServices } from '#experiments/open'
import type { FlagServices } from '#flags/open'
import type { InsightServices } from '#insights/open'
import type { PeopleServices } from '#insights/people/open-people'
import type { Right, Viewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { PostServices } from '#posts/open'
import type { SurveyServices } from '#surveys/open'

/** The product's services that make changes. */
export interface ChangingServices {
  flags: FlagServices
  people: PeopleServices
  experiments: ExperimentServices
  surveys: SurveyServices
  posts: PostServices
  insights: InsightServices
  dashboards: Dashboards
  alerts: AlertServices
}

/** A change that an assistant can propose. The product's own method makes it, with the rights of who approves. */
export interface ProposableChange<Input extends z.ZodObject = z.ZodObject> {
  /** The name of the tool. */
  name: string
  title: string
  /** A text of Tilth's own. */
  description: string
  input: Input
  /** The rights to see what is changed. */
  reads: readonly Right[]
  /** The right to change it. */
  right: Right
  /** Whether it takes something away from visitors. */
  isDestructive: boolean
  /** Whether a person decides even where the caller has the right: on what visitors get, and on what is taken away. */
  alwaysAsks: (input: z.output<Input>) => boolean
  /** Describes the change as the thing is now, or says why it cannot be made. */
  preview: (call: ChangeCall<z.output<Input>>) => Promise<Outcome<{ preview: ChangePreview }>>
  /** Makes the change. Resolves to the path of the page of the thing. */
  make: (call: ChangeMaking<z.output<Input>>) => Promise<Outcome<{ path: string }>>
}

export interface ChangeCall<Input = Record<string, unknown>> {
  services: ChangingServices
  projectId: number
  viewer: Viewer
  input: Input
}

export interface ChangeMaking<Input = Record<string, unknown>> extends ChangeCall<Input> {
  /** The version that the change is based on; undefined of something new. */
  version: string | undefined
}

export interface ChangePreview {
  /** In Tilth's own words. */
  sentence: string
  /** A line for each part that changes. */
  lines: readonly string[]
  /** The path of the page of what it changes, below that of the project. */
  thing: string
  /** Undefined of something new. */
  version: string | undefined
}

/** The assistant's words for the member who decides. */
export const reasonField = {
  reason: z
    .string()
    .trim()
    .max(1000, 'Use at most 1000 characters for the reason.')
    .default('')
    .describe('Why, in a sentence for the person who decides'),
}

/** Returns the input as the assistant gave it, for a method of the product that parses it itself. */
export function givenIn({ reason: _, ...input }: Record<string, unknown>): Record<string, unknown> {
  // instants are text again
  const given: unknown = JSON.parse(JSON.stringify(input))
  return given as Record<string, unknown>
}

/** Returns the version of a thing whose versions are counted. */
export const numbered = (version: string | undefined): number | undefined =>
  version === undefined ? undefined : Number(version)

/** A line for each named part that has a value. */
export const partLines = (parts: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(parts).flatMap(([label, value]) => {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return []
    if (typeof value === 'string') return [`${label}: “${value}”`]
    return [`${label}: ${Array.isArray(value) ? value.join(', ') : JSON.stringify(value)}`]
  })

/** Keeps the type of a change's input, which a list of changes does not need to know. */
export const defineChange = <Input extends z.ZodObject>(change: ProposableChange<Input>): ProposableChange =>
  // callers parse the input by the change's own schema before they pass it on
  change
