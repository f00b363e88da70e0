import { z } from 'zod'
import { goalChange, newGoal, type SavedGoal } from '../../insights/goals'
import { newSegment, type Segment, segmentChange } from '../../insights/segments'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

const goalShape = z
  .object({
    id: z.string(),
    name: z.string(),
    goal: newGoal.shape.goal,
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'Goal' })

const segmentShape = z
  .object({
    id: z.string(),
    name: z.string(),
    filter: newSegment.shape.filter,
    isShared: z.boolean(),
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'Segment' })

const shownGoal = ({ projectId: _, ...goal }: SavedGoal) => goal
const shownSegment = ({ projectId: _, memberId, ...segment }: Segment) => ({
  ...segment,
  isShared: memberId === undefined,
})

/** What web analytics keeps for a project: its goals and its segments. */
export const webEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/goals',
    summary: 'List goals: what visitors are hoped to do',
    right: 'events:read',
    answers: z.object({ goals: z.array(goalShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ goals: (await product.goals.list(project().id, viewer)).map(shownGoal) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/goals',
    summary: 'Set a goal',
    right: 'insights:write',
    input: newGoal,
    answers: goalShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.goals.create(project().id, input, viewer), ({ goal }) => shownGoal(goal)),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/goals/{goal}',
    summary: 'Change a goal',
    right: 'insights:write',
    input: goalChange,
    answers: goalShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.goals.change(project().id, part('goal'), input, viewer), ({ goal }) =>
        shownGoal(goal),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/goals/{goal}',
    summary: 'Remove a goal; what was counted stays',
    right: 'insights:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.goals.remove(project().id, part('goal'), viewer), () => ({})),
  },
  {
    method: 'GET',
    path: '/projects/{project}/segments',
    summary: 'List the segments of the project',
    right: 'events:read',
    answers: z.object({ segments: z.array(segmentShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ segments: (await product.segments.list(project().id, viewer)).map(shownSegment) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/segments',
    summary: 'Save conditions as a segment',
    right: 'insights:write',
    input: newSegment,
    answers: segmentShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.segments.create(project().id, input, viewer), ({ segment }) =>
        shownSegment(segment),
      ),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/segments/{segment}',
    summary: 'Change a segment',
    right: 'insights:write',
    input: segmentChange,
    answers: segmentShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.segments.change(project().id, part('segment'), input, viewer), ({ segment }) =>
        shownSegment(segment),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/segments/{segment}',
    summary: 'Remove a segment',
    right: 'insights:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.segments.remove(project().id, part('segment'), viewer), () => ({})),
  },
]
