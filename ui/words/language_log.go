package words

// chineseLog is the log view in Chinese.
var chineseLog = map[string]string{}
