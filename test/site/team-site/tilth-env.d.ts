import '@tilth/site'

declare module '@tilth/site' {
  interface ProjectFlags {
    pricing: false | 'control' | 'yearly'
  }

  interface ProjectSurveys {
    NPS: true
  }
}
