'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { Panel } from '#ui/page/Panel'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { LeavingGuard } from '#studio/parts/LeavingGuard'
import { StudioPickers } from '#studio/insights/pickers'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { variantTotal } from '#studio/flags/editor/draft'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { createExperiment } from '../actions'
import { AboutFields } from '../editor/AboutFields'
import { AnalysisFields } from '../editor/AnalysisFields'
import type { ExperimentChoices, TemplateChoice } from '../editor/choices'
import { ControlField } from '../editor/ControlField'
import {
  differencesOf,
  emptyDraft,
  type ExperimentDraft,
  type ExperimentProblems,
  fieldProblems,
  inputOf,
  type NewFlagDraft,
} from '../editor/draft'
import { exposureWithFlag } from '../editor/exposure-presets'
import { ExposureFields, SeveralVariantsField } from '../editor/ExposureFields'
import { KindFields } from '../editor/KindFields'
import { LazyMetricList } from '../metrics/LazyMetricList'
import { FlagFields } from './FlagFields'

interface NewExperimentFormProps {
  choices: ExperimentChoices
  /** The key of the flag that the address names. */
  flag: string | undefined
  /** The id of the template that the address names. */
  template: string | undefined
  whyNot: string | undefined
}

/** Makes a draft of an experiment, and its flag where there is none yet. */
export function NewExperimentForm({ choices, flag, template, whyNot }: NewExperimentFormProps) {
  const { draft, newFlag, variants, change, chooseFlag, putNewFlag, isUnsaved } = useNewExperiment(
    choices,
    flag,
    template,
  )
  const { create, problems, isPending } = useCreation(choices.slug, draft, newFlag)
  const fields = { draft, problems, onChange: change }
  const putMetrics = (metrics: ExperimentDraft['metrics']) => change({ metrics })
  return (
    <StudioPickers slug={choices.slug}>
      <div className="flex flex-col gap-5">
        <TemplatePicker
          templates={choices.templates}
          initial={template}
          metrics={draft.metrics}
          onChoose={change}
        />
        <Panel>
          <AboutFields {...fields} kind={<KindFields {...fields} />} />
        </Panel>
        <Panel title="Flag and variants">
          <div className="flex flex-col gap-4">
            <FlagFields
              flags={choices.flags}
              chosen={draft.flag}
              newFlag={newFlag}
              problems={problems}
              onChoose={chooseFlag}
              onNewFlag={putNewFlag}
            />
            {variants.length > 0 && (
              <ControlField
                variants={variants}
                control={draft.control}
                problems={problems}
                onChange={(control) => change({ control })}
              />
            )}
          </div>
        </Panel>
        <Panel title="Metrics" description="A primary metric decides, guardrails must not get worse.">
          <LazyMetricList metrics={draft.metrics} choices={choices} onChange={putMetrics} />
        </Panel>
        <Panel title="Exposures" description="Who counts, and from when on.">
          <div className="flex flex-col gap-4">
            <ExposureFields {...fields} />
            {draft.kind !== 'bandit' && <SeveralVariantsField {...fields} />}
          </div>
        </Panel>
        <Panel title="Analysis">
          <AnalysisFields {...fields} />
        </Panel>
        <Problems problems={problems} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            variant="primary"
            onClick={create}
            busy={isPending}
            disabledReason={whyNot ?? whyIncomplete(draft, newFlag)}
          >
            Create experiment
          </Button>
          <p className="text-muted">It is a draft until you start it.</p>
        </div>
        <LeavingGuard isUnsaved={isUnsaved && !isPending} />
      </div>
    </StudioPickers>
  )
}

const Problems = ({ problems }: { problems: ExperimentProblems }) =>
  [...new Set(Object.values(problems))].map((problem) => <FormError key={problem} title={problem} />)

function whyIncomplete(draft: ExperimentDraft, newFlag: NewFlagDraft | undefined): string | undefined {
  if (draft.name.trim() === '') return 'Name the experiment first.'
  if (!newFlag) return draft.flag === '' ? 'Choose a flag first.' : undefined
  if (newFlag.key.trim() === '') return 'Give the flag a key first.'
  return variantTotal(newFlag.variants) === 100 ? undefined : 'The shares must add up to 100%.'
}

function useNewExperiment(
  choices: ExperimentChoices,
  flag: string | undefined,
  template: string | undefined,
) {
  const [empty] = useState(() => emptyDraft(choices.flags.find(({ key }) => key === flag)))
  const [draft, setDraft] = useState(() => {
    const chosen = choices.templates.find(({ id }) => id === template)
    return chosen ? { ...empty, hypothesis: chosen.hypothesis, metrics: chosen.metrics } : empty
  })
  const [newFlag, setNewFlag] = useState<NewFlagDraft>()
  const change = (part: Partial<ExperimentDraft>) => setDraft((before) => ({ ...before, ...part }))

  function nameFlag(key: string, keys: readonly string[]) {
    setDraft((before) => ({
      ...before,
      flag: key,
      control: keys.includes(before.control) ? before.control : (keys[0] ?? ''),
      exposure: exposureWithFlag(before.exposure, before.flag, key),
    }))
  }
  const variantsOf = (key: string) => choices.flags.find((one) => one.key === key)?.variants ?? []

  return {
    draft,
    newFlag,
    variants: newFlag?.variants ?? variantsOf(draft.flag),
    change,
    chooseFlag: (key: string) =>
      nameFlag(
        key,
        variantsOf(key).map((variant) => variant.key),
      ),
    putNewFlag: (next: NewFlagDraft | undefined) => {
      setNewFlag(next)
      nameFlag(next?.key.trim() ?? '', renamedControl(draft.control, newFlag, next))
    },
    isUnsaved: newFlag !== undefined || differencesOf(empty, draft).length > 0,
  }
}

/** The keys of the variants; that of the control comes first, also while it is renamed. */
function renamedControl(
  control: string,
  before: NewFlagDraft | undefined,
  after: NewFlagDraft | undefined,
): string[] {
  const id = before?.variants.find(({ key }) => key === control)?.id
  const variants = after?.variants ?? []
  const same = variants.filter((variant) => variant.id === id)
  return [...same, ...variants.filter((variant) => variant.id !== id)].map(({ key }) => key)
}

function useCreation(slug: string, draft: ExperimentDraft, newFlag: NewFlagDraft | undefined) {
  const router = useNavigation()
  const showToast = useToast()
  const [problems, setProblems] = useState<ExperimentProblems>({})
  const [isPending, startTransition] = useTransition()

  const create = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() =>
        createExperiment(slug, inputOf(draft), newFlag && flagInputOf(newFlag)),
      )
      if (!answer.done) return setProblems(fieldProblems(answer.problems))
      showToast({ title: `${draft.name} is created`, tone: 'success' })
      router.push(paths.experimentSettings(slug, answer.id))
    })
  return { create, problems, isPending }
}

const flagInputOf = ({ key, variants }: NewFlagDraft) => ({
  key: key.trim(),
  variants: variants.map(({ id: _, ...variant }) => variant),
})

interface TemplatePickerProps {
  templates: readonly TemplateChoice[]
  /** The id of the template that the form begins with. */
  initial: string | undefined
  metrics: ExperimentDraft['metrics']
  onChoose: (part: Pick<ExperimentDraft, 'hypothesis' | 'metrics'>) => void
}

const none = 'none'

/** Fills the hypothesis and the metrics in from a template. */
function TemplatePicker({ templates, initial, metrics, onChoose }: TemplatePickerProps) {
  const [id, setId] = useState(initial ?? none)
  const chosen = templates.find((template) => template.id === id)
  function choose(next: string) {
    setId(next)
    const template = templates.find((one) => one.id === next)
    if (template) onChoose({ hypothesis: template.hypothesis, metrics: template.metrics })
  }
  const replaces = 'A template replaces the hypothesis and the metrics below.'
  return (
    <Panel>
      <Field
        label="Start from a template"
        optional
        hint={
          chosen
            ? `${chosen.description} Check that its events are those that you send.`
            : metrics.length > 0
              ? replaces
              : 'Fills in the hypothesis and the metrics.'
        }
      >
        <Select
          options={[
            { value: none, label: 'No template' },
            ...templates.map(({ id: value, name }) => ({ value, label: name })),
          ]}
          value={chosen?.id ?? none}
          onChange={choose}
        />
      </Field>
    </Panel>
  )
}
