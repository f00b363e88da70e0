import { expect, test } from 'vitest'
import { anApiProgram } from '#test/product/api-program'
import { memberHelpers, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'

const entries = {
  alert: {
    name: 'No views',
    watched: { type: 'event', event: '$pageview' },
    condition: { type: 'absence', minutes: 30 },
  },
  report: { name: 'The week', about: { type: 'web' } },
} as const

test.each(['alert', 'report'] as const)(
  'the recipients of %ss are no members of other projects, and a former member stays',
  async (kind) => {
    const { ask, product, id: projectId } = await anApiProgram()
    const { aProject, aMember } = memberHelpers(product)
    const ana = await aMember({ role: 'editor' })
    const foreign = await aMember({ project: await aProject({ name: 'Elsewhere' }), name: 'Eve Moor' })
    const toMembers = (...members: { id: string }[]) => ({
      recipients: members.map(({ id }) => ({ by: 'member', member: id })),
    })
    const refusal = {
      status: 422,
      body: {
        error: {
          problems: [
            {
              field: 'recipients',
              message: `“${foreign.id}” is no member of this project. Choose a member, or give an e-mail address.`,
            },
          ],
        },
      },
    }
    expect(await ask('POST', `/${kind}s`, { ...entries[kind], ...toMembers(ana, foreign) })).toMatchObject(
      refusal,
    )
    expect((await ask('GET', `/${kind}s`)).body).toEqual({ [`${kind}s`]: [] })

    const { body } = await ask('POST', `/${kind}s`, { ...entries[kind], ...toMembers(ana) })
    const path = `/${kind}s/${String(body['id'])}`
    expect(await ask('PATCH', path, toMembers(ana, foreign))).toMatchObject(refusal)

    requireDone(await product.projects.members.remove(projectId, ana.id, operator()))
    const renamed = await ask('PATCH', path, { name: 'Another', ...toMembers(ana) })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Another', ...toMembers(ana) } })
  },
)
