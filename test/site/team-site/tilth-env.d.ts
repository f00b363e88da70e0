import '@tilth/site'
import type { z } from 'zod'

declare module '@tilth/site' {
  interface ProjectFlags {
    pricing: false | 'control' | 'yearly'
  }

  interface ProjectSurveys {
    NPS: true
  }

  interface ProjectCollections {
    jobs: z.ZodObject<{ title: z.ZodString; from: z.ZodCoercedDate }>
    notes: undefined
  }
}
