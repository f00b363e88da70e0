'use client'

import { type FC, lazy } from 'react'
import type { FormProps } from './asking/form'
import type { Asked } from './scope'

type AnyForm = FC<FormProps<Asked>>

/** Each comes when it is needed: nobody builds a funnel and a path on one page. */
const forms: Record<string, AnyForm> = {
  trend: formOf(async () => (await import('./kinds/trend/Form')).TrendForm),
  funnel: formOf(async () => (await import('./kinds/funnel/Form')).FunnelForm),
  correlation: formOf(async () => (await import('./kinds/correlation/Form')).CorrelationForm),
  retention: formOf(async () => (await import('./kinds/retention/Form')).RetentionForm),
  paths: formOf(async () => (await import('./kinds/paths/Form')).PathsForm),
  lifecycle: formOf(async () => (await import('./kinds/lifecycle/Form')).LifecycleForm),
  stickiness: formOf(async () => (await import('./kinds/stickiness/Form')).StickinessForm),
  totals: formOf(async () => (await import('./kinds/totals/Form')).TotalsForm),
  sql: formOf(async () => (await import('./kinds/sql/Form')).SqlForm),
  breakdown: formOf(async () => (await import('./kinds/breakdown/Form')).BreakdownForm),
}

/** From here on a form only ever meets questions of its kind: they say which one they are of. */
function formOf<Question>(load: () => Promise<FC<FormProps<Question>>>): AnyForm {
  return lazy(async () => ({ default: (await load()) as unknown as AnyForm }))
}

/** How a question of a kind is built. A kind without a form is asked through the API. */
export function InsightForm({ kind, ...props }: FormProps<Asked> & { kind: string }) {
  const Form = Object.hasOwn(forms, kind) ? forms[kind] : undefined
  return Form ? <Form {...props} /> : null
}
