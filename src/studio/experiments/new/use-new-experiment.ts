import { useState } from 'react'
import type { ExperimentChoices, TemplateChoice } from '../editor/choices'
import { differencesOf, emptyDraft, type ExperimentDraft, type NewFlagDraft } from '../editor/draft'
import { exposureWithFlag } from '../editor/exposure-presets'

/** The draft of a new experiment and of its flag. `flag` and `template` are those that the address names. */
export function useNewExperiment(
  choices: ExperimentChoices,
  flag: string | undefined,
  template: string | undefined,
) {
  const [empty] = useState(() => emptyDraft(choices.flags.find(({ key }) => key === flag)))
  const [draft, setDraft] = useState(() => {
    const chosen = choices.templates.find(({ id }) => id === template)
    return chosen ? { ...empty, hypothesis: chosen.hypothesis, metrics: chosen.metrics } : empty
  })
  const [chosenTemplate, setChosenTemplate] = useState(template)
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
    chosenTemplate,
    chooseTemplate: (next: TemplateChoice | undefined) => {
      setChosenTemplate(next?.id)
      if (next) change({ hypothesis: next.hypothesis, metrics: next.metrics })
    },
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
