'use client'

import { branchKeys, flowProblems } from '#surveys/flow'
import type { Branching, SurveyQuestion } from '#surveys/question'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Select } from '#ui/form/Select'
import { useBuilder, useProblem } from './BuilderContext'
import { replaceQuestion } from './content-changes'
import { branchFrom, branchKeyLabels, flowProblemWords, targetOf, targetsFor } from './flow-words'

const byAnswer = 'by-answer'

/** Edits where the survey goes on after a question. Problems of the whole flow are shown at their question. */
export function BranchingFields({ question }: { question: SurveyQuestion }) {
  const { content, changeContent } = useBuilder()
  const { error } = useProblem(`${question.id}:branching`)
  const { branching } = question
  const targets = targetsFor(content, question.id)
  const put = (next: Branching) =>
    changeContent((before) => replaceQuestion(before, { ...question, branching: next }))
  const options =
    branchKeys(question).length > 0
      ? [...targets, { value: byAnswer, label: 'Depends on the answer…' }]
      : targets
  const problem = flowProblems(content).find((one) => one.question === question.id)

  return (
    <div className="flex flex-col gap-3">
      <Field label="After this question">
        <Select
          options={options}
          value={branching.kind === byAnswer ? byAnswer : targetOf(branching)}
          onChange={(target) =>
            put(target === byAnswer ? { kind: byAnswer, branches: {} } : branchFrom(target))
          }
        />
      </Field>
      {branching.kind === byAnswer && (
        <fieldset className="flex flex-col gap-2 border-l-2 border-line pl-3">
          <legend className="sr-only">Next step by answer</legend>
          {branchKeyLabels(question).map(({ key, label }) => (
            <Field key={key} label={label}>
              <Select
                options={targets}
                value={targetOf(branching.branches[key] ?? { kind: 'next' })}
                onChange={(target) =>
                  put({ kind: byAnswer, branches: { ...branching.branches, [key]: branchFrom(target) } })
                }
              />
            </Field>
          ))}
        </fieldset>
      )}
      {problem ? (
        <FormError title={flowProblemWords[problem.problem]} />
      ) : (
        error && <FormError title={error} />
      )}
    </div>
  )
}
