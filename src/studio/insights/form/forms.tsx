'use client'

import { type FC, lazy } from 'react'
import type { BaseQuery } from '#insights/scope'
import type { QueryFormProps } from './form-parts'

type AnyForm = FC<QueryFormProps<BaseQuery>>

/** Each form is loaded on demand: one page shows one kind. */
const forms: Record<string, AnyForm> = {
  trend: formOf(async () => (await import('../kinds/trend/Form')).TrendForm),
  funnel: formOf(async () => (await import('../kinds/funnel/Form')).FunnelForm),
  correlation: formOf(async () => (await import('../kinds/correlation/Form')).CorrelationForm),
  retention: formOf(async () => (await import('../kinds/retention/Form')).RetentionForm),
  paths: formOf(async () => (await import('../kinds/paths/Form')).PathsForm),
  lifecycle: formOf(async () => (await import('../kinds/lifecycle/Form')).LifecycleForm),
  stickiness: formOf(async () => (await import('../kinds/stickiness/Form')).StickinessForm),
  totals: formOf(async () => (await import('../kinds/totals/Form')).TotalsForm),
  sql: formOf(async () => (await import('../kinds/sql/Form')).SqlForm),
  breakdown: formOf(async () => (await import('../kinds/breakdown/Form')).BreakdownForm),
}

/** Erases the question type: a form is only rendered with questions of its kind. */
function formOf<Query>(load: () => Promise<FC<QueryFormProps<Query>>>): AnyForm {
  return lazy(async () => ({ default: (await load()) as unknown as AnyForm }))
}

/** The form of a kind. Kinds without a form are available through the API. */
export function InsightForm({ kind, ...props }: QueryFormProps<BaseQuery> & { kind: string }) {
  const Form = Object.hasOwn(forms, kind) ? forms[kind] : undefined
  return Form ? <Form {...props} /> : null
}
