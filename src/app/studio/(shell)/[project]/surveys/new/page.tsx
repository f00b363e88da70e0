export { metadata, NewSurveyPage as default } from '#studio/surveys/new/NewSurveyPage'
