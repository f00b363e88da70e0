import { z } from 'zod'
import {
  type Annotation,
  annotationChange,
  annotationScopes,
  newAnnotation,
} from '../../insights/annotations'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

const annotationShape = z
  .object({
    id: z.string(),
    at: instant,
    text: z.string(),
    scope: z.enum(annotationScopes),
    subject: z.string().optional(),
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'Annotation' })

const shown = ({ projectId: _, subjectId: subject, ...annotation }: Annotation) => ({
  ...annotation,
  subject,
})

export const annotationEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/annotations',
    summary: 'List annotations, the latest first',
    right: 'events:read',
    answers: z.object({ annotations: z.array(annotationShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ annotations: (await product.annotations.list(project().id, viewer)).map(shown) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/annotations',
    summary: 'Write what happened at an instant: on every chart, or on one insight or dashboard',
    right: 'insights:write',
    input: newAnnotation,
    answers: annotationShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.annotations.create(project().id, input, viewer), ({ annotation }) =>
        shown(annotation),
      ),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/annotations/{annotation}',
    summary: 'Change an annotation',
    right: 'insights:write',
    input: annotationChange,
    answers: annotationShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(
        await product.annotations.change(project().id, part('annotation'), input, viewer),
        ({ annotation }) => shown(annotation),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/annotations/{annotation}',
    summary: 'Remove an annotation',
    right: 'insights:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.annotations.remove(project().id, part('annotation'), viewer), () => ({})),
  },
]
