export { metadata, SurveysPage as default } from '#studio/surveys/SurveysPage'
