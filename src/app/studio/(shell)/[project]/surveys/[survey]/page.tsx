export { generateMetadata, SurveyPage as default } from '#studio/surveys/builder/SurveyPage'
