import type { z } from 'zod'
import type { AnswerTable } from '#insights/kind'
import type { Right, Viewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'
import type { PictureSubject } from '#studio/pictures/picture'
import type { CallBudget } from './agent-budgets'

/** Something that an assistant can ask of a project. The product's methods check the rights, as for everyone else. */
export interface AgentTool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  /** A text of Tilth's own: words that visitors wrote never stand here. */
  description: string
  input: Input
  /** The rights that the key needs; a key without them is not offered the tool. */
  rights: readonly Right[]
  /** Set where it changes or proposes something. */
  changes?: { isDestructive: boolean }
  /** Whether its answers are also drawn, for clients that show pictures. */
  isDrawn?: true
  answer: (call: ToolCall<z.output<Input>>) => Promise<Outcome<{ found: ToolAnswer }>>
}

export interface ToolCall<Input = Record<string, unknown>> {
  product: Product
  project: Project
  viewer: Viewer
  input: Input
  /** Aborted when the client disconnects. */
  signal: AbortSignal | undefined
  budget: CallBudget
}

/** An answer as a person would tell it: a sentence first, and numbers never without their period and their page. */
export interface ToolAnswer {
  sentence: string
  /** The studio's page that shows the same, below the address of the project. */
  path: string
  /** Of numbers: which events they count, and how old they are. */
  counted?: {
    period?: { from: Date; until: Date }
    at: Date
    waitingEvents: number
  }
  table?: AnswerTable
  /** The rows that exist in all, where the table has fewer. */
  rowsInAll?: number
  /** Reservations about the numbers, as "this week is not over". */
  notes?: readonly string[]
  /** Texts of Tilth's own, of several lines. */
  sections?: readonly string[]
  /** The same as the studio draws it. */
  picture?: PictureSubject | undefined
  /** The same for programs. */
  data?: Readonly<Record<string, unknown>>
}

/** A page of the project with what its address names. */
export function below(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const named = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
  return named.length === 0 ? path : `${path}?${new URLSearchParams(named).toString()}`
}

export const found = (answer: ToolAnswer): { done: true; found: ToolAnswer } => ({
  done: true,
  found: answer,
})

/** Keeps the type of a tool's input, which a list of tools does not need to know. */
export const defineTool = <Input extends z.ZodObject>(tool: AgentTool<Input>): AgentTool =>
  // the server parses the input by the tool's own schema before it calls it
  tool
