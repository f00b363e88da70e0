'use client'

import type { KindName, QueryByKind } from '#insights/answered-query'
import { kindViews } from '../kinds'
import type { QueryFormProps } from './form-parts'

/** The form of a query of any kind. Kinds without a form are available through the API. */
export const InsightForm = (props: QueryFormProps<QueryByKind[KindName]>) => (
  <FormOfKind kind={props.query.kind} {...props} />
)

function FormOfKind<Kind extends KindName>({
  kind,
  ...props
}: QueryFormProps<QueryByKind[Kind]> & { kind: Kind }) {
  const Form = kindViews[kind]?.Form
  return Form ? <Form {...props} /> : null
}
