'use client'

import { useState } from 'react'
import { type BounceRule, usualBounceSeconds } from '#insights/bounce-rule'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { RadioGroup } from '#ui/form/RadioGroup'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { changeVisits } from './change-analytics'

interface VisitsFormProps {
  slug: string
  bounceRule: BounceRule
  attribution: 'first' | 'last'
  whyNot: string | undefined
}

const bounceRules = [
  {
    value: 'actions',
    label: 'Second view or action',
    hint: 'Plausible’s rule: a visit with one view is a bounce unless it has a click, a form or a custom event.',
  },
  {
    value: 'engaged',
    label: 'Second view, action or engagement',
    hint: 'A visit is also not a bounce once the page was in view for some seconds.',
  },
  {
    value: 'posthog',
    label: 'Second view, autocapture or length',
    hint: 'PostHog’s rule: a visit with one view is a bounce if it has no autocaptured event and is short. Custom events do not count.',
  },
] as const

const attributions = [
  { value: 'last', label: 'Last touch', hint: 'The last post read before the conversion.' },
  { value: 'first', label: 'First touch', hint: 'The first post read before the conversion.' },
] as const

const choiceOf = (rule: BounceRule): (typeof bounceRules)[number]['value'] => {
  if (rule.of === 'posthog') return 'posthog'
  return rule.engagedSeconds === undefined ? 'actions' : 'engaged'
}

const secondsOf = (rule: BounceRule): number | undefined =>
  rule.of === 'posthog' ? rule.seconds : rule.engagedSeconds

/** The rule for a bounce, and the touch that a conversion is attributed to unless a report chooses another. */
export function VisitsForm({ slug, bounceRule, attribution, whyNot }: VisitsFormProps) {
  const [rule, setRule] = useState<string>(choiceOf(bounceRule))
  const isFixed = whyNot !== undefined
  const fixed = <Option extends object>(option: Option) => ({ ...option, disabled: isFixed })

  return (
    <ChangeForm change={(form) => changeVisits(slug, form)} saved="Visits saved">
      <RadioGroup
        label="Not a bounce"
        name="bounceRule"
        value={rule}
        onChange={setRule}
        options={bounceRules.map(fixed)}
      />
      {rule !== 'actions' && (
        <Field key={rule} label={rule === 'posthog' ? 'Length' : 'Engagement'} name="answers.bounceSeconds">
          <NumberInput
            defaultValue={secondsOf(bounceRule) ?? usualBounceSeconds}
            min={1}
            max={3600}
            unit="seconds"
            required
            disabled={isFixed}
          />
        </Field>
      )}
      <RadioGroup
        label="Default attribution"
        hint="Applies to the conversions of a post, under its readers. Funnels have their own attribution."
        name="answers.attribution"
        defaultValue={attribution}
        options={attributions.map(fixed)}
      />
      <div>
        <Submit disabledReason={whyNot}>Save visits</Submit>
      </div>
    </ChangeForm>
  )
}
