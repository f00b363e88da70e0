'use client'

import { createContext, type ReactNode, use } from 'react'
import type { Variant } from '#flags/flag'
import type { SurveyContent } from '#surveys/survey'
import { type FieldProblems, problemAt } from './draft'

/** The options of the builder's fields. */
export interface BuilderChoices {
  slug: string
  flags: readonly { key: string; variants: readonly Variant[] }[]
}

interface BuilderState {
  content: SurveyContent
  changeContent: (change: (content: SurveyContent) => SurveyContent) => void
  problems: FieldProblems
  choices: BuilderChoices
}

const Context = createContext<BuilderState | undefined>(undefined)

export const BuilderProvider = ({ value, children }: { value: BuilderState; children: ReactNode }) => (
  <Context value={value}>{children}</Context>
)

export function useBuilder(): BuilderState {
  const state = use(Context)
  if (!state) throw new Error('A field of the survey builder stands outside of it.')
  return state
}

/** The server's problem with a field; empty if there is none. */
export function useProblem(field: string): { error?: string } {
  const error = problemAt(useBuilder().problems, field)
  return error === undefined ? {} : { error }
}
