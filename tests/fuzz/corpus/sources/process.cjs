const { defineTask } = require('@a5c-ai/babysitter-sdk');
const fs = require('node:fs');
const more = require('./more');
exports.process = async (inputs, ctx) => { await ctx.breakpoint({ question: "ok?" }); };
